/** Text of a client for a terminal: control characters, line ends and changes of direction are written as `\\u{1b}`. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);

/** The same for people who decide by it: its lines and tabs stay. */
export const readable = (text: string): string => text.replace(/[^\n\t]+/g, printable);
