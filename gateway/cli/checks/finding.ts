/** A finding of `hivekeep doctor`. Unless it is ok, `text` says what to do. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  subject: string;
  text: string;
}

/** The findings about one subject. */
export const findingsAbout = (subject: string): Record<Finding['level'], (text: string) => Finding> => ({
  ok: (text) => ({ level: 'ok', subject, text }),
  warn: (text) => ({ level: 'warn', subject, text }),
  fail: (text) => ({ level: 'fail', subject, text }),
});
