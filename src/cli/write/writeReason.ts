/** Why something could not be written, in words, by the code of the system's error. */
export function writeReason(error: unknown): string {
  const code = String((error as { readonly code?: unknown } | null)?.code ?? 'unknown error');
  return reasons[code] ?? code;
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'file too large',
  EIO: 'input/output error',
  EBADF: 'standard output is closed',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'read-only file system',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many levels of symbolic links',
};
