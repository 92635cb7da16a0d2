export { openHeartbeats } from '../../db/postgres/heartbeats.ts'
export { openSharedCounters } from './shared-counters.ts'
