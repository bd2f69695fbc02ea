import { FORM, type HiddenRoute } from '#brand/contract/route.ts'
import { type Editor, MAX_UPLOAD_BYTES } from './edit/context.ts'

type Row = HiddenRoute<Editor>

/** The words of these addresses may be percent-encoded (`sent: 0`). */
const EDIT = { methods: FORM, name: 'edit', who: 'writer', limit: 'address', sent: 0, readsBody: true } as const
const FILE = { maxBody: MAX_UPLOAD_BYTES } as const

/** A page of the editor, whose code is loaded on first use. */
function page(pattern: string, load: () => Promise<Row['answer']>, more: Partial<Row> = {}): Row {
  return { ...EDIT, ...more, pattern, answer: async (...asked) => (await load())(...asked) }
}

const GUIDE = '/{workspace}/{project}/-/edit'

/**
 * The page on which people edit a file of a guide, and the pages that add a guide, a page or a picture. `{page}` covers all
 * further segments: `logo/clear-space`, or `-/colors` for a list. The first row that fits counts.
 */
export const EDIT_ROUTES: readonly Row[] = [
  page('/{workspace}/-/edit/new', async () => (await import('./edit/new-guide.ts')).newGuideReply),
  page(`${GUIDE}/-/new`, async () => (await import('./edit/new-page.ts')).newPageReply),
  page(`${GUIDE}/-/picture`, async () => (await import('./edit/file.ts')).pictureReply, FILE),
  page(`${GUIDE}/-/file/{page}`, async () => (await import('./edit/file.ts')).fileReply, FILE),
  page(`${GUIDE}/-/upload`, async () => (await import('./edit/upload.ts')).uploadReply, FILE),
  page(`${GUIDE}/-/history/{page}`, async () => (await import('./edit/history.ts')).historyReply),
  page(`${GUIDE}/{page}`, async () => (await import('./edit/edit-page.ts')).editReply, FILE),
]
