/** How many connections the limit of open files leaves room for. */

/** For the store, the log, servers below, models, push receivers and whatever else the process opens. */
const reserved = 64;

/** Three quarters of the files that this process may open, less a fixed reserve; infinite where there is no limit. */
export function connectionsLeft(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const files = report.userLimits?.open_files?.soft ?? 'unlimited';
  return files === 'unlimited' ? Infinity : Math.max(16, Math.floor((files - reserved) * 0.75));
}
