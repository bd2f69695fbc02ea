import type { CommandFormat } from './format.ts'

/** The formats that only the command makes, in the order of lists, after the served formats. */
export const COMMAND_FORMATS: readonly CommandFormat[] = [
  {
    id: 'site',
    file: 'site',
    contentType: 'text/html; charset=utf-8',
    summary: 'the whole guide as a folder for any web host, or to open directly in a browser',
    isFolder: true,
    options: ['private'],
  },
  {
    id: 'pdf',
    file: 'guide.pdf',
    contentType: 'application/pdf',
    summary: 'the whole guide as a printed book, made with the installed Chromium',
    isFolder: false,
    options: ['chromium', 'landscape'],
  },
]
