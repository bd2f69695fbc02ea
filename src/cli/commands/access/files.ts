import { auditFor } from '../../../compose/access.ts'
import { rotateFiles } from '../../../publishing/rotate-files.ts'
import type { Run } from '../../command.ts'
import { unwrap } from '../../failure.ts'
import { onProject } from '../../in-store.ts'

/** `files rotate <workspace/project>` */
export const rotate: Run = (args, io) =>
  onProject(args, io, async ({ store, settings, ref, name }) => {
    unwrap(await rotateFiles(store, ref, auditFor(settings, io.isTerminal)))
    const text = `${name}: its files have new addresses; the old ones no longer work\n`
    return { json: { ...ref, done: true }, text }
  })
