/** What a check of `hivekeep doctor` found. `text` says what to do where it is not ok. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  subject: string;
  text: string;
}
