/**
 * Opens the style sheets that a file links or imports. Only files inside the given folder, or next to a given file, are
 * opened, each once per file, so that loops end. Undefined if the sheet is elsewhere, missing, too large, or already open.
 */
export type Sheets = { open: (address: string) => { text: string; sheets: Sheets } | undefined }

export const NO_SHEETS: Sheets = { open: () => undefined }
