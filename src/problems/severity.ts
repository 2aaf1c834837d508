/** How bad a problem is: an error stops the run before anything is written, a warning and a note do not. */
export type Severity = 'error' | 'warning' | 'note';
