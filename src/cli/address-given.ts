import type { Settings } from '../settings.ts'
import { type Arguments, textOption } from './command.ts'

/** Whether the person says at which address the service is reached; otherwise it is that of the running service. */
export function isAddressGiven(args: Arguments, { publicUrl }: Pick<Settings, 'publicUrl'>): boolean {
  return publicUrl !== undefined || textOption(args, 'host') !== undefined || textOption(args, 'port') !== undefined
}
