/** Fewer steps that fail in the same way, found in at most `trialsMax` attempts. */
export async function shrink<Step>(
  steps: readonly Step[],
  fails: (fewer: readonly Step[]) => Promise<boolean>,
  trialsMax: number,
): Promise<readonly Step[]> {
  let kept = steps
  let trials = 0
  for (let size = Math.ceil(kept.length / 2); size >= 1 && trials < trialsMax; ) {
    let isSmaller = false
    for (let at = kept.length - size; at > -size && trials < trialsMax; at -= size) {
      const fewer = [...kept.slice(0, Math.max(0, at)), ...kept.slice(at + size)]
      if (fewer.length === kept.length) continue
      trials += 1
      if (!(await fails(fewer))) continue
      kept = fewer
      isSmaller = true
    }
    if (size === 1 && !isSmaller) break
    size = isSmaller && size > kept.length ? kept.length : Math.max(1, Math.floor(size / 2))
  }
  return kept
}
