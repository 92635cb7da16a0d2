/** What Web Test Runner's mocha puts on the page (its `tdd` words). */
declare function suite(name: string, tests: () => void): void
declare function test(name: string, run: () => void | Promise<void>): void
declare function setup(run: () => void | Promise<void>): void
declare function suiteTeardown(run: () => void | Promise<void>): void
declare function teardown(run: () => void | Promise<void>): void
