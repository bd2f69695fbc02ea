import { type Failed, failed, type Result } from '../base/result.ts'

/** The codes of expected failures. They never change; docs/errors.md explains them. */
export const COMMAND_PROBLEMS = [
  'id_invalid',
  'workspace_unknown',
  'project_unknown',
  'project_copying',
  'project_same',
  'project_unpublished',
  'revision_unknown',
  'revision_current',
  'revision_retracted',
  'revision_freed',
] as const

/** The reason for which a command changed nothing. The message is for the user. */
export type CommandProblem = { code: (typeof COMMAND_PROBLEMS)[number]; message: string }

export type CommandResult<Value> = Result<Value, CommandProblem>

export function failedWith(code: CommandProblem['code'], message: string): Failed<CommandProblem> {
  return failed({ code, message })
}
