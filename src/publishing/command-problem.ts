import { type Failed, failed, type Result } from '../base/result.ts'

/** Why a command does nothing, by its stable code. */
export const COMMAND_PROBLEMS = {
  id_invalid: 'a workspace or a project cannot have this id',
  project_unknown: 'there is no such project',
  project_copying: 'a copy from or to the project is under way',
  project_same: 'a project would be copied over itself',
  revision_unknown: 'the project has no such revision',
  revision_current: 'the revision is the one that is served',
  revision_retracted: 'the revision was retracted',
  revision_freed: 'the content of the revision was freed by housestyle gc',
} as const

/** Why a command does nothing: a stable code, and words for whoever ran it. */
export type CommandProblem = { code: keyof typeof COMMAND_PROBLEMS; message: string }

/** What a command gives. */
export type CommandResult<Value> = Result<Value, CommandProblem>

export function failedWith(code: CommandProblem['code'], message: string): Failed<CommandProblem> {
  return failed({ code, message })
}
