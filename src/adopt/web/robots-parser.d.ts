/** The used part of `robots-parser` 3, whose published types have the function as a property of itself. */
declare module 'robots-parser' {
  function robotsParser(
    address: string,
    text: string,
  ): { isAllowed: (address: string, agent: string) => boolean | undefined; getSitemaps: () => string[] }
  export = robotsParser
}
