export { viewChecking } from './checking.ts'
