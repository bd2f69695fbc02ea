import { DRAFT_PATH } from '#brand/contract/operations.ts'
import { FORM, type HiddenRoute, READ } from '#brand/contract/route.ts'
import type { ManageContext } from './context.ts'
import type { Section } from './project/project-page.ts'

export type ManageRow = HiddenRoute<ManageContext>

const PAGE = { methods: FORM, name: 'manage', who: 'manager', limit: 'address', sent: 0 } as const
const GUIDE = '/{workspace}/{project}'
const REVIEW = { name: 'review', who: 'reviewer', segments: 4 } as const
const SESSIONS = { name: 'signin', who: 'person' } as const

/** The addresses at which signed-in people publish, share, review and end sessions. Their code is loaded after the start. */
export const MANAGE_ROUTES: readonly ManageRow[] = [
  projectRow('draft', ''),
  projectRow('history', '/history'),
  projectRow('links', '/links'),
  row(`${GUIDE}${DRAFT_PATH}/-/changes`, async () => (await import('./review-page.ts')).reviewReply, REVIEW),
  row(`${GUIDE}/-/manage/usage`, async () => (await import('./usage-page.ts')).usageReply, { methods: READ }),
  row(`${GUIDE}/-/manage/usage.csv`, async () => (await import('./usage-page.ts')).usageCsvReply, { methods: READ }),
  row(`${GUIDE}/-/manage/rights.atom`, async () => (await import('./project/rights.ts')).rightsFeedReply, {
    methods: READ,
  }),
  row('/{workspace}/-/manage', async () => (await import('./workspace/workspace-page.ts')).workspaceReply),
  row('/{workspace}/-/manage/mail', async () => (await import('./mail/mail-page.ts')).mailReply, { who: 'mailed' }),
  row('/{workspace}/-/sessions', async () => (await import('./workspace/sessions-page.ts')).sessionsReply, SESSIONS),
]

/** A page whose code is loaded on its first use. */
function row(pattern: string, load: () => Promise<ManageRow['answer']>, other: Partial<ManageRow> = {}): ManageRow {
  return { ...PAGE, ...other, pattern, answer: async (...asked) => (await load())(...asked) }
}

function projectRow(section: Section, below: string): ManageRow {
  return row(`${GUIDE}/-/manage${below}`, async () => {
    const { projectReply } = await import('./project/project-page.ts')
    return (...asked) => projectReply(...asked, section)
  })
}
