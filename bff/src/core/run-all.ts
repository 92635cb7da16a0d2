/**
 * Runs every step, even after one has failed.
 * @param endsAll - Whether an error would also fail every later step: then none of them runs.
 * @returns the sum of the steps' results.
 * @throws the first error, after the last step.
 */
export async function runAll(
  steps: readonly (() => Promise<number>)[],
  endsAll: (error: unknown) => boolean = () => false,
): Promise<number> {
  let done = 0
  let fault: unknown
  for (const step of steps) {
    try {
      done += await step()
    } catch (error) {
      if (endsAll(error)) throw error
      fault ??= error
    }
  }
  if (fault !== undefined) throw fault
  return done
}
