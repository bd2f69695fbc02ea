import type { PageTask } from '#adopt/pages/page.ts'

export const TASK: PageTask = {
  path: 'a.html',
  shownPath: 'site/a.html',
  kind: 'html',
  facts: { baseUrl: '', variables: new Map() },
  includes: new Map(),
}
