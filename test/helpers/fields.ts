/** The fields of a document or a snapshot by their names, for what a test has put there that no document has. */
export const fieldsOf = (stored: object | null | undefined): Record<string, unknown> => ({ ...stored });
