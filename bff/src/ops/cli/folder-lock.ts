import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ValidationError } from '../../core/errors.ts'
import { connect } from '../../db/sqlite/sqlite-connection.ts'

/** This file exists only while a service is created. */
export const lockName = 'checkout.lock'

/** Another process, which may be suspended, is creating a service in the folder. */
export class FolderBusyError extends ValidationError {}

/**
 * Runs work in a folder where no other process does so at the same time. The lock is the operating system's, taken through SQLite: it lasts
 * while the process is suspended, and ends with the process in any case. Files that the work finds therefore belong to no live process.
 * @throws {FolderBusyError} while another process has the lock.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, lockName)
  writeFileSync(path, '', { mode: 0o600, flag: 'a' })
  const inode = inodeOf(path)
  const lock = connect(path)
  try {
    lock.pragma('busy_timeout = 0')
    try {
      lock.exec('begin exclusive')
    } catch (error) {
      if ((error as { code?: unknown }).code === 'SQLITE_BUSY') throw new FolderBusyError(busy(folder))
      throw error
    }
    // The previous holder has deleted this file, so another process may hold the lock of a new one.
    if (inodeOf(path) !== inode) throw new FolderBusyError(busy(folder))
    try {
      return await work()
    } finally {
      rmSync(path, { force: true })
    }
  } finally {
    lock.close()
  }
}

const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

const busy = (folder: string) => `nothing was created, because another process is creating a service in ${folder}`
