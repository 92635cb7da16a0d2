type Kept<Answer> = { answer: Promise<Answer>; isAsked: boolean; answeredAtMs: number }

/**
 * Answers to questions that cost a call: everybody who asks the same while it is being answered, or within `keptMs` of
 * the answer, gets that answer, or that error.
 * @param keysMax - Questions that are remembered; a new one replaces the oldest.
 */
export function createSharedAnswers<Answer>({
  keptMs,
  keysMax,
  nowMs,
}: {
  keptMs: number
  keysMax: number
  nowMs: () => number
}) {
  const kept = new Map<string, Kept<Answer>>()

  // A clock that was set back must not keep an answer for longer.
  const isFresh = ({ isAsked, answeredAtMs }: Kept<Answer>, now: number): boolean =>
    isAsked || (now >= answeredAtMs && now < answeredAtMs + keptMs)

  return (key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const known = kept.get(key)
    if (known && isFresh(known, nowMs())) return known.answer
    kept.delete(key)
    for (const oldest of kept.keys()) {
      if (kept.size < keysMax) break
      kept.delete(oldest)
    }
    const asked: Kept<Answer> = { answer: ask(), isAsked: true, answeredAtMs: 0 }
    kept.set(key, asked)
    const end = () => {
      asked.isAsked = false
      asked.answeredAtMs = nowMs()
    }
    asked.answer.then(end, end)
    return asked.answer
  }
}
