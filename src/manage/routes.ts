import { DRAFT_PATH } from '../contract/operations.ts'
import { FORM, type Ids, READ, type Route } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { ManageContext } from './context.ts'
import type { Section } from './project/project-page.ts'

/** A row of these pages; its answer is undefined for everyone else, who get what an unknown address gets. */
export type ManageRow = Omit<Route<never>, 'answer'> & {
  answer: (context: ManageContext, request: Request, ids: Ids) => Promise<Reply | undefined>
}

const PAGE = { methods: FORM, name: 'manage', who: 'manager', limit: 'address', sent: 0 } as const

/** The addresses at which signed-in people publish, share, review and end sessions. Their code is loaded after the start. */
export const MANAGE_ROUTES: readonly ManageRow[] = [
  projectRow('draft', ''),
  projectRow('history', '/history'),
  projectRow('links', '/links'),
  {
    ...PAGE,
    name: 'review',
    who: 'reviewer',
    pattern: `/{workspace}/{project}${DRAFT_PATH}/-/changes`,
    segments: 4,
    answer: async (...asked) => (await import('./review-page.ts')).reviewReply(...asked),
  },
  {
    ...PAGE,
    methods: READ,
    pattern: '/{workspace}/{project}/-/manage/usage',
    answer: async (...asked) => (await import('./usage-page.ts')).usageReply(...asked),
  },
  {
    ...PAGE,
    methods: READ,
    pattern: '/{workspace}/{project}/-/manage/usage.csv',
    answer: async (...asked) => (await import('./usage-page.ts')).usageCsvReply(...asked),
  },
  {
    ...PAGE,
    methods: READ,
    pattern: '/{workspace}/{project}/-/manage/rights.atom',
    answer: async (...asked) => (await import('./project/rights.ts')).rightsFeedReply(...asked),
  },
  {
    ...PAGE,
    pattern: '/{workspace}/-/manage',
    answer: async (...asked) => (await import('./workspace/workspace-page.ts')).workspaceReply(...asked),
  },
  {
    ...PAGE,
    who: 'mailed',
    pattern: '/{workspace}/-/manage/mail',
    answer: async (...asked) => (await import('./mail/mail-page.ts')).mailReply(...asked),
  },
  {
    ...PAGE,
    name: 'signin',
    who: 'person',
    pattern: '/{workspace}/-/sessions',
    answer: async (...asked) => (await import('./workspace/sessions-page.ts')).sessionsReply(...asked),
  },
]

function projectRow(section: Section, below: string): ManageRow {
  return {
    ...PAGE,
    pattern: `/{workspace}/{project}/-/manage${below}`,
    answer: async (...asked) => (await import('./project/project-page.ts')).projectReply(...asked, section),
  }
}
