import { createHash } from 'node:crypto'
import { type HiddenRoute, type Ids, POST, READ } from '#brand/contract/route.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { redirect } from '#platform/exchange/reply.ts'
import type { Editor } from './context.ts'

type EditorRow = HiddenRoute<Editor>

/** The largest form with a text, in bytes. */
const MAX_PREVIEW = 1 << 20
const ROW = { isAtPublicUrl: true, methods: READ, name: 'editor', who: 'editor', limit: 'address' } as const

const events: EditorRow['answer'] = async (...asked) => (await import('./commit-stream.ts')).commitStream(...asked)
const preview: EditorRow['answer'] = async (...asked) =>
  (await import('./preview.ts')).previewReply(...asked, MAX_PREVIEW)
const newGuide: EditorRow['answer'] = async (...asked) => (await import('./new-guide.ts')).newGuideReply(...asked)

/** The addresses of the editor below the service, and below each workspace if several are followed. */
export const EDITOR_ROUTES: readonly EditorRow[] = ['', '/{workspace}'].flatMap(place => [
  { ...ROW, pattern: `${place}/-/edit`, answer: redirectReply },
  { ...ROW, pattern: `${place}/-/edit/events`, name: 'events', limit: 'none', answer: events },
  { ...ROW, pattern: `${place}/-/edit/preview`, methods: POST, maxBody: MAX_PREVIEW, answer: preview },
  { ...ROW, pattern: `${place}/-/edit/new`, answer: newGuide },
  { ...ROW, pattern: `${place}/-/edit/{rest}`, answer: fileReply },
])

async function redirectReply({ site, sourceFor }: Editor, request: Request, ids: Ids) {
  const place = ids.workspace && `/${ids.workspace}`
  return (await sourceFor(request, ids)) && redirect(308, site.here(`${place}/-/edit/`))
}

/** Replies with a file. All editors share the library, fonts and scripts; their code is loaded with the first request. */
async function fileReply({ site, sourceFor }: Editor, request: Request, ids: Ids): Promise<Reply | undefined> {
  const source = await sourceFor(request, ids)
  if (!source) return undefined
  const { editorFiles, editorPolicy } = await import('./editor-files.ts')
  const name = ids.rest === '' ? 'index.html' : ids.rest
  const key = OWN_FILES.includes(name) ? createHash('sha256').update(JSON.stringify(source)).digest('hex') : ''
  const reply = await site.pages.reply(`editor ${key} ${name}`, request, async () => {
    const bytes = (await editorFiles(source)).get(name)
    return bytes && { bytes, type: ['Content-Type', typeOf(name)], about: ABOUT }
  })
  const policy = `${await editorPolicy(source)}; frame-ancestors 'none'`
  return reply && withHeaders(reply, ['Content-Security-Policy', policy, ...HANDLING])
}

/** The files that differ between editors. */
const OWN_FILES: readonly string[] = ['index.html', 'config.json']

/**
 * A shared cache must not keep the files of a private guide. No opener policy separates the page from the window for
 * signing in at the forge, whose result would not arrive.
 */
const ABOUT = ['Cache-Control', 'private, no-cache', 'Vary', 'Accept-Encoding, Cookie'] as const
const HANDLING = ['Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex'] as const

function typeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8'
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  woff2: 'font/woff2',
}
