/** How many connections the limit on open files allows. */

/** For the store, the log, other servers, models, push receivers and anything else that the process opens. */
const reserved = 64;

/** Three quarters of the process's limit on open files, less a fixed reserve; infinite without a limit. */
export function connectionsLeft(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const files = report.userLimits?.open_files?.soft ?? 'unlimited';
  return files === 'unlimited' ? Infinity : Math.max(16, Math.floor((files - reserved) * 0.75));
}
