import { readFileSync } from 'node:fs'
import type { Contents } from './temporary.ts'

/** A public project with a file of every kind, keyed by path in the project folder. */
export const FILE_KINDS: Contents = {
  'project.yaml': 'name: Kinds\nvisibility: public\ntheme: none\n',
  'files/fonts/plex.woff2': example('fonts/IBMPlexSans-Regular-Latin1.woff2'),
  'files/fonts/broken.woff2': 'wOF2 and nothing more',
  'files/images/app.png': example('images/acme-app-icon.png'),
  'files/images/heavy.png': Buffer.concat([example('images/acme-app-icon.png'), Buffer.alloc(5_000_000)]),
  'files/images/logo.svg': example('logo/acme-logo.svg'),
  'files/images/sizeless.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'files/images/"><script>alert(1)<\u2044script>.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"><title>A &lt;b&gt;</title></svg>\n',
  'files/images/layers.psd': Buffer.from('8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x10\0\0\0\x20\0\x08\0\x03', 'latin1'),
  'files/print/sheet.pdf': '%PDF-1.4\n%%EOF\n',
  'files/print/drawing.eps': '%!PS-Adobe-3.0 EPSF-3.0\n%%EOF\n',
  'files/print/all.zip': Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1'),
  'files/sound/jingle.mp3': Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(200)]),
  'files/sound/film.mp4': Buffer.from(`\0\0\0\x18ftypisom\0\0\0\0isomiso2${'\0'.repeat(100)}`, 'latin1'),
  'files/LICENSE': 'Free.\n',
  'files/files.yaml': 'images/logo.svg: The logo & its "A"\nimages/layers.psd: The layers\n',
  'pages/logo/clear.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"/>\n',
}

/** Moves files below the folder of a project. */
export function below(project: string, contents: Contents): Contents {
  return Object.fromEntries(Object.entries(contents).map(([path, content]) => [`${project}/${path}`, content]))
}

function example(path: string): Buffer {
  return readFileSync(new URL(`../../examples/acme/guidelines/files/${path}`, import.meta.url))
}
