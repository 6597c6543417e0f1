/** Settles as `work` does; rejects, and says what stood still, where that takes longer than `ms`. */
export async function inTime<T>(ms: number, work: Promise<T>, what: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`still not done after ${Math.round(ms / 1000)} s: ${what()}`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
