import type { Settings } from '../settings.ts'
import { type Arguments, textOption } from './command.ts'

/** Whether a setting gives the service's address; otherwise links use the running service's address. */
export function isAddressGiven(args: Arguments, { publicUrl }: Pick<Settings, 'publicUrl'>): boolean {
  return publicUrl !== undefined || textOption(args, 'host') !== undefined || textOption(args, 'port') !== undefined
}
