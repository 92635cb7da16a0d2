type Kept<Answer> = { answer: Promise<Answer>; isAsked: boolean; answeredAtMs: number }

/**
 * Shares the answers of expensive calls: whoever asks the same while a call runs, or within `keptMs` after it, gets the same
 * answer or error.
 * @param keysMax - Maximum remembered questions; a new one replaces the oldest.
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

  // A clock that is set back must not extend the life of an answer.
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
