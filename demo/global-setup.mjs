// Tests start the demo's programs.
export { bundleDemo as setup } from './programs.mjs'
