import { claimAt, readGroups } from '#people/signin/people/groups-claim.ts'
import { golden } from '../../../support/golden.ts'

golden(
  'signin/claims',
  ({ claims, path }: { claims: Record<string, unknown>; path: string }) => claimAt(claims, path) ?? null,
)
golden('signin/groups', ({ claim }: { claim?: unknown }) => readGroups(claim))
