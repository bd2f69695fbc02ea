/** All values; where one work is rejected, the others have ended as well before that is told, so that none goes on unseen. */
export async function allEnded<const Works extends readonly unknown[]>(
  works: Works,
): Promise<{ -readonly [Key in keyof Works]: Awaited<Works[Key]> }> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
