/** For the rig: the page that sets up a service. */
export { createSetupAccess } from '../ops/setup/setup-access.ts'
export { createSetupApp } from '../ops/setup/setup-app.ts'
