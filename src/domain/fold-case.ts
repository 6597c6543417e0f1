/**
 * One form of texts that differ in case alone, by Unicode's full case folding and canonical equivalence: "FLUSS",
 * "Fluß" and "fluss" are one text, and so are the composed and the decomposed "é". Languages are not looked at, so a
 * Turkish "ı" is no "i".
 *
 *  FoldCase.F1 Texts that are canonically equivalent, or differ in case, have one form, which is its own form.
 */
const beyondAscii = /[^\x00-\x7f]/;
/** What has another form in upper case, without "ı", whose upper case is that of "i". */
const folding = /[^\x00-\x7fı]+/g;
const finalSigma = /ς/g;

export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (!beyondAscii.test(lower)) return lower;
  // the detour over upper case takes apart what is one letter in lower case only, such as "ß"
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(folding, (run) => run.toUpperCase().toLowerCase())
    .replace(finalSigma, 'σ')
    .normalize('NFC');
}
