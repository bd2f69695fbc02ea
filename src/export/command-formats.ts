import type { CommandFormat } from './format.ts'

/** Every format that the command makes alone, in the order in which lists show them, after those that are served. */
export const COMMAND_FORMATS: readonly CommandFormat[] = [
  {
    id: 'site',
    file: 'site',
    contentType: 'text/html; charset=utf-8',
    summary: 'the whole guide as a folder that any host serves and a browser opens without one',
    isFolder: true,
    options: ['private'],
  },
  {
    id: 'pdf',
    file: 'guide.pdf',
    contentType: 'application/pdf',
    summary: 'the whole guide as a printed book, made by the Chromium that is there',
    isFolder: false,
    options: ['chromium'],
  },
]
