/** A finding of `hivekeep doctor`. Unless it is ok, `text` says what to do. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  subject: string;
  text: string;
}
