import { parseBucketAddress, parseLimitsAddress, parseSmtpAddress } from '#platform/settings/shared-addresses.ts'
import { golden } from '../../support/golden.ts'

type Case = { text: string; environment?: Readonly<Record<string, string>> }

golden(
  'settings/bucket-addresses',
  ({ text, environment = {} }: Case) => parseBucketAddress(text, environment) ?? 'none',
)
golden('settings/limits-addresses', ({ text }: Case) => parseLimitsAddress(text) ?? 'none')
golden('settings/mail-addresses', ({ text }: Case) => parseSmtpAddress(text) ?? 'none')
