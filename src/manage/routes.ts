import { DRAFT_PATH } from '../contract/operations.ts'
import { FORM, type Ids, type Route } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { ManageContext } from './context.ts'

/** A row of these pages; its answer is undefined for everyone else, who get what an unknown address gets. */
export type ManageRow = Omit<Route<never>, 'answer'> & {
  answer: (context: ManageContext, request: Request, ids: Ids) => Promise<Reply | undefined>
}

/** Loaded after the start, which they would delay. */
const PAGES = {
  project: () => import('./project/project-page.ts'),
  review: () => import('./review/review-page.ts'),
  usage: () => import('./usage/usage-page.ts'),
  workspace: () => import('./workspace/workspace-page.ts'),
}

const PAGE = { methods: FORM, name: 'manage', who: 'manager', limit: 'address' } as const

/** The addresses at which signed-in people publish, share and review. */
export const MANAGE_ROUTES: readonly ManageRow[] = [
  {
    ...PAGE,
    pattern: '/{workspace}/{project}/-/manage',
    sent: 0,
    answer: async (...asked) => (await PAGES.project()).projectReply(...asked),
  },
  {
    methods: FORM,
    name: 'review',
    who: 'reviewer',
    limit: 'address',
    pattern: `/{workspace}/{project}${DRAFT_PATH}/-/changes`,
    sent: 0,
    segments: 4,
    answer: async (...asked) => (await PAGES.review()).reviewReply(...asked),
  },
  {
    ...PAGE,
    pattern: '/{workspace}/{project}/-/manage/usage',
    sent: 0,
    answer: async (...asked) => (await PAGES.usage()).usageReply(...asked),
  },
  {
    ...PAGE,
    pattern: '/{workspace}/-/manage',
    sent: 0,
    answer: async (...asked) => (await PAGES.workspace()).workspaceReply(...asked),
  },
]
