export function ipvsCleanupScript() {
  return '';
}
