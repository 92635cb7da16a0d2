import { type Db, fenced, takeLease } from '@stablecoin-checkout/bff/testing/db'
import type { TestDatabase } from '../../test-database.ts'
import { crashingDatabase, createTurns } from './crashing-database.ts'
import type { Service } from './service.ts'

type Running = { service: Service; place: number }

/**
 * The service's processes on one database, each with its own connections. One holds the network's lease; the others serve
 * requests. Their commits are sequential, so that a life is reproducible.
 */
export async function openProcesses(
  test: TestDatabase,
  count: 1 | 2,
  { lease, openWith }: { lease: string; openWith: (db: Db, workersDb: Db) => Service },
) {
  const turns = count === 1 ? undefined : createTurns()
  const databases = Array.from({ length: count }, () => crashingDatabase(test, turns))
  for (const database of databases) await database.open()
  const databaseAt = (place: number) => databases[place % count] as (typeof databases)[number]
  const services: Service[] = []
  let holders = 0
  let holder = 0
  let door = 0
  /** The previous holder of the lease, which does not know that it lost it. */
  let former: Running | undefined

  /** @param epoch - 0: its workers may not write. */
  function openAt(place: number, key: { name: string; holder: string; epoch: number }): Service {
    const { db } = databaseAt(place)
    return openWith(
      db,
      fenced(db, key, () => undefined),
    )
  }

  /** A process that takes the lease from any holder. */
  async function openHolder(place: number): Promise<Service> {
    holders += 1
    const name = `replica ${holders}`
    const epoch = await databaseAt(place).db.write((tx) => takeLease(tx, lease, name, 0))
    return openAt(place, { name: lease, holder: name, epoch: epoch ?? 0 })
  }

  services.push(await openHolder(0))
  await services[0]?.resume()
  for (let place = 1; place < count; place += 1) services.push(openAt(place, { name: lease, holder: 'none', epoch: 0 }))
  const serviceAt = (place: number) => services[place % count] as Service

  /** Restarts as a new process: it knows the database, and nothing of the nodes. */
  async function restart(place: number = holder): Promise<void> {
    serviceAt(place).stop()
    if (former?.place === place) {
      former.service.stop()
      former = undefined
    }
    await databaseAt(place).reopen()
    const isHolder = place === holder
    services[place] = isHolder ? await openHolder(place) : openAt(place, { name: lease, holder: 'none', epoch: 0 })
    if (isHolder) await serviceAt(place).resume()
  }

  return {
    count,
    /** The first process's database, for reads and writes outside the service. */
    db: databaseAt(0).db,
    /** The process that receives requests. */
    atDoor: () => serviceAt(door),
    isDeadAtDoor: () => databaseAt(door).isDead(),
    restartAtDoor: () => restart(door),
    setDoor(place: number): void {
      door = place % count
    },
    restart,
    async restartAll(): Promise<void> {
      for (let place = 0; place < count; place += 1) await restart(place)
    },
    /** Another process takes the lease, and this one continues as if nothing had happened. */
    async takeOver(): Promise<void> {
      former?.service.stop()
      former = { service: serviceAt(holder), place: holder }
      holder = (holder + 1) % count
      services[holder] = await openHolder(holder)
      await serviceAt(holder).resume()
    },
    /** The process whose workers run. */
    worker(isFormer: boolean) {
      const running = (isFormer && former) || { service: serviceAt(holder), place: holder }
      return { ...running, database: databaseAt(running.place) }
    },
    async end(): Promise<void> {
      for (const service of services) service.stop()
      former?.service.stop()
      for (const database of databases) await database.close()
      await test.drop()
    },
  }
}
