import { FORM, type HiddenRoute, READ, type Route } from '#brand/contract/route.ts'
import { redirect } from '#platform/exchange/reply.ts'
import type { Site } from '#site/site.ts'
import { type Editor, MAX_EDIT_BYTES, MAX_UPLOAD_BYTES } from './edit/context.ts'

const EDIT = { methods: FORM, name: 'edit', who: 'writer', limit: 'address', sent: 0 } as const
const FILE = { maxBody: MAX_UPLOAD_BYTES, takesUpload: true } as const

/** The page on which people edit a file of a guide: `/{page}`, and `/-/colors` for a list; and the pages that add a guide, a page or a picture. */
export const EDIT_ROUTES: readonly HiddenRoute<Editor>[] = [
  {
    ...EDIT,
    pattern: '/{workspace}/-/edit/new',
    answer: async (...asked) => (await import('./edit/new-guide.ts')).newGuideReply(...asked),
  },
  {
    ...EDIT,
    pattern: '/{workspace}/{project}/-/edit/-/new',
    answer: async (...asked) => (await import('./edit/new-page.ts')).newPageReply(...asked),
  },
  {
    ...EDIT,
    pattern: '/{workspace}/{project}/-/edit/-/picture',
    ...FILE,
    answer: async (...asked) => (await import('./edit/picture.ts')).pictureReply(...asked),
  },
  {
    ...EDIT,
    pattern: '/{workspace}/{project}/-/edit/-/file/{page}',
    ...FILE,
    answer: async (...asked) => (await import('./edit/file.ts')).fileReply(...asked),
  },
  {
    ...EDIT,
    pattern: '/{workspace}/{project}/-/edit/{page}',
    maxBody: MAX_EDIT_BYTES,
    answer: async (...asked) => (await import('./edit/edit-page.ts')).editReply(...asked),
  },
]

const EARLIER = { methods: READ, name: 'edit', who: 'everyone', limit: 'none' } as const

/** The addresses of the editor of earlier versions, which redirect to the guides, for everyone alike. */
export const EARLIER_EDITOR_ROUTES: readonly Route<{ site: Site }>[] = ['', '/{workspace}'].flatMap(place =>
  ['', '/{rest}'].map(rest => ({
    ...EARLIER,
    pattern: `${place}/-/edit${rest}`,
    answer: ({ site }, { path }) => redirect(308, site.here(path.slice(0, path.indexOf('/-/edit')) || '/')),
  })),
)
