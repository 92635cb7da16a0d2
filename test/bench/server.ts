import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { bundle } from './bundle.ts'

type Keys = { publicKey: string; apiKey: string; apiSecret: string }

/** The keys are the merchant's; empty where the server has none. */
export type Server = { child: ChildProcess; url: string } & Keys

/** Starts a bundled server of this folder in a process of its own; it sends its port when it listens. */
export async function startServer(name: string, args: string[]): Promise<Server> {
  const child = fork(await bundle(name), args, { execArgv: [] })
  const [ready] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`))),
  ])) as [{ port: number } & Partial<Keys>]
  const { publicKey = '', apiKey = '', apiSecret = '' } = ready
  return { child, url: `http://127.0.0.1:${ready.port}`, publicKey, apiKey, apiSecret }
}

/** Sends a question to the server's process and waits for its answer. */
export async function ask<Answer>({ child }: Server, question: string): Promise<Answer> {
  child.send(question)
  return (await once(child, 'message'))[0] as Answer
}
