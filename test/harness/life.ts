import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server as HttpServer } from 'node:http'
import { Server } from 'node:net'
import type { Db, Heartbeats, Tx } from '@stablecoin-checkout/bff/testing/db'

/** The service was killed: its remaining work has no effect. */
class DeathError extends Error {}

const never = new Promise<never>(() => undefined)

/**
 * The life of a service in this process. No signal can kill it alone, so its death is simulated by what others see: from one
 * moment on, nothing reaches its database, it calls no node, and no request gets a response. Remaining work waits forever. A
 * webhook being sent still arrives, as it may when a process dies.
 */
export class Life {
  readonly #death = new AbortController()
  readonly #servers = new Set<Server>()
  #stop: { isOver: Promise<void>; end(): void } | undefined

  get isDead(): boolean {
    return this.#death.signal.aborted
  }

  get isStopped(): boolean {
    return this.#stop !== undefined
  }

  /** Runs the service, or a part of it: everything that it starts belongs to this life. */
  run<Value>(act: () => Value): Value {
    return lives.run(this, act)
  }

  /** Acts like SIGKILL. */
  die(): void {
    this.#death.abort()
    for (const server of this.#servers) {
      server.close()
      ;(server as Partial<HttpServer>).closeAllConnections?.()
    }
    this.#stop?.end()
  }

  /** Acts like SIGSTOP. */
  stop(): void {
    let end = (): void => undefined
    const isOver = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#stop = { isOver, end }
  }

  /** Acts like SIGCONT. */
  resume(): void {
    this.#stop?.end()
    this.#stop = undefined
  }

  /** @throws {DeathError} when the service is dead. */
  verifyAlive(): void {
    if (this.isDead) throw new DeathError()
  }

  /** Resolves immediately, or once a stopped service continues. @throws {DeathError} when the service is dead. */
  async pass(): Promise<void> {
    if (this.#stop) await this.#stop.isOver
    this.verifyAlive()
  }

  /** Does something for the service. A dead one never learns the result. */
  async through<Value>(act: () => Promise<Value>): Promise<Value> {
    try {
      await this.pass()
      const value = await act()
      await this.pass()
      return value
    } catch (error) {
      if (this.isDead) return await never
      throw error
    }
  }

  fetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const signals = [this.#death.signal, ...(init?.signal ? [init.signal] : [])]
    return this.through(() => realFetch(input, { ...init, signal: AbortSignal.any(signals) }))
  }

  /** Ends the server's connections with the service. */
  owns(server: Server): void {
    this.#servers.add(server)
    server.once('close', () => this.#servers.delete(server))
  }
}

const lives = new AsyncLocalStorage<Life>()
const realFetch = globalThis.fetch
const realListen = Server.prototype.listen as (this: Server, ...args: unknown[]) => Server

// For the life of this worker; whatever belongs to no service uses the real one.
globalThis.fetch = (...args) => lives.getStore()?.fetch(...args) ?? realFetch(...args)
Server.prototype.listen = function listen(this: Server, ...args: unknown[]) {
  lives.getStore()?.owns(this)
  return realListen.apply(this, args)
} as typeof Server.prototype.listen

/** The database of a service that can be killed and stopped: work uncommitted by then is never committed. */
export function mortalDb(db: Db, life: Life): Db {
  return {
    read: (unit) => life.through(() => db.read(unit)),
    write: (unit) =>
      life.through(() =>
        db.write(async (tx) => {
          await life.pass()
          const result = await unit(mortalTx(tx, life))
          await life.pass()
          return result
        }),
      ),
    listen: (listener) => db.listen((notified) => void (life.isDead || listener(notified))),
    close: () => db.close(),
  }
}

function mortalTx(tx: Tx, life: Life): Tx {
  const verified =
    <Statement, Value>(ask: (statement: Statement) => Promise<Value>) =>
    async (statement: Statement) => {
      life.verifyAlive()
      return await ask(statement)
    }
  return {
    run: verified(tx.run),
    get: verified(tx.get) as Tx['get'],
    all: verified(tx.all) as Tx['all'],
    write(statement) {
      life.verifyAlive()
      tx.write(statement)
    },
    afterCommit: (done) => tx.afterCommit(() => void (life.isDead || done())),
    notify: tx.notify,
  }
}

export function mortalHeartbeats<Beats extends Heartbeats>(heartbeats: Beats, life: Life): Beats {
  return {
    ...heartbeats,
    run: (statement) => life.through(() => heartbeats.run(statement)),
    get: <Row>(statement: Parameters<Heartbeats['get']>[0]) => life.through(() => heartbeats.get<Row>(statement)),
  }
}
