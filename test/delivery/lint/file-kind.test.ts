import { kindOf, whyUnread } from '#delivery/lint/file-kind.ts'
import { golden } from '../../support/golden.ts'

golden('lint/file-kind', ({ path = '', unread }: { path?: string; unread?: string }) =>
  unread === undefined ? (kindOf(path) ?? 'none') : whyUnread(unread),
)
