export type StreamEvent = { id: string; data: { payment: Record<string, unknown>; serverTime: string } }

/** Reads the server-sent events of a payment. */
export function readEvents(answer: Response) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    answer,
    /** Undefined when the stream has ended. */
    async next(): Promise<StreamEvent | undefined> {
      for (;;) {
        const [message, rest] = text.split(/\n\n([\s\S]*)/)
        if (rest !== undefined) {
          text = rest
          const field = (name: string) => message?.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1] ?? ''
          if (field('data') !== '') return { id: field('id'), data: JSON.parse(field('data')) }
          continue
        }
        const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
        if (done) return undefined
        text += value
      }
    },
    close: async () => await reader?.cancel(),
  }
}
