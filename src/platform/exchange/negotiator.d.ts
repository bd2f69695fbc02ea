/** The used part of `negotiator` 1, whose published types lack the preferences. */
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> })
    languages(available: string[]): string[]
    encodings(available: string[], options: { preferred: string[] }): string[]
  }
  export = Negotiator
}
