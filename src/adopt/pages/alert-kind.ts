/** The alert that is closest to a container of another program, by the name of that. */
export function alertKind(name: string): string {
  return NOTES.find(([names]) => names.test(name))?.[1] ?? 'NOTE'
}

const NOTES = [
  [/tip|hint|success/i, 'TIP'],
  [/important/i, 'IMPORTANT'],
  [/warn|attention/i, 'WARNING'],
  [/caution|danger|error|fail|bug/i, 'CAUTION'],
] as const
