/**
 * The parts of a host, opened and put together: what is kept in files first, then what decides by it, then the gate. The
 * servers themselves are the registry's.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { systemClock, type Clock } from '../base/clock.ts'
import { silentLogger, type Logger } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import type { AttachedServer } from './attached.ts'
import { openAuditFile } from './audit-file.ts'
import type { AuditSink } from './audit.ts'
import { Catalog } from './catalog.ts'
import { loggedPolicyOf, openLockOf } from './config-policy.ts'
import { denyAll } from './consent.ts'
import { ConsentQueue } from './consent-queue.ts'
import { Gate } from './gate.ts'
import { GrantBook, GRANTS_FILE } from './grants-file.ts'
import type { HostOptions } from './host-options.ts'
import { HostWire } from './host-wire.ts'
import { endOrphans, JobBook } from './jobs.ts'
import { sha256 } from './judged-arguments.ts'
import { Judge } from './judge.ts'
import { KnownSecrets } from './known-secrets.ts'
import { LockFile } from './lock-file.ts'
import { Pinning } from './pinning.ts'
import { ProtectedPaths } from './protected-paths.ts'
import { modelNameOf } from './resource-reading.ts'
import { Seals } from './seal.ts'

export interface HostParts {
  readonly clock: Clock
  readonly logger: Logger
  readonly lock: LockFile
  readonly pinning: Pinning
  readonly catalog: Catalog
  readonly consent: ConsentQueue
  readonly judge: Judge
  readonly seals: Seals
  readonly wire: HostWire
  readonly gate: Gate
  /** Where processes are recorded; none without a state folder. */
  readonly jobs: JobBook | undefined
  /** The one that was opened here, to be closed. */
  readonly ownAudit: Required<AuditSink> | undefined
}

const DAY_MS = 86_400_000
/** Name of the file in the state folder. */
const AUDIT_FILE = 'audit.jsonl'

/** Rejects with a `ConfigError` when a file of the host cannot be used: it would rather not open than know less. */
export async function openParts(
  config: Config,
  options: HostOptions,
  server: (key: string) => AttachedServer | undefined,
): Promise<HostParts> {
  const { home, clock = systemClock } = options
  const logger = (options.logger ?? silentLogger).module('host')
  const [lock, grants] = await Promise.all([
    openLock(config, options),
    GrantBook.open({
      ...(home !== undefined && { path: join(home, GRANTS_FILE) }),
      now: () => clock.wall(),
      onProblem: (message) => logger.warn(message),
    }),
  ])
  const pinning = new Pinning({
    mode: options.pinning ?? config.settings.pinning ?? 'first-use',
    lock,
    aliasOf: (key, tool) => modelNameOf(key, tool, sha256),
  })
  const consent = new ConsentQueue({
    consent: options.consent ?? denyAll(),
    clock,
    timeoutMs: options.askTimeoutMs ?? 300_000,
  })
  const judge = new Judge({
    policy: options.policy ?? loggedPolicyOf(config, logger),
    pinning,
    grants,
    consent,
    secrets: new KnownSecrets(config.entries),
    protected: await protectedPathsOf(config, lock, home),
    clock,
    logger,
    grantMs: (options.grantDays ?? 30) * DAY_MS,
  })
  const ownAudit =
    options.audit === undefined && home !== undefined
      ? await openAuditFile(join(home, AUDIT_FILE))
      : undefined
  const jobs = jobsOf(options, logger)
  const parts = { clock, logger, lock, pinning, consent, judge }
  const catalog = new Catalog(pinning, { reads: options.readResource === true })
  const seals = new Seals()
  const wire = new HostWire(options.wire, clock)
  const run = options.run ?? randomBytes(8).toString('hex')
  const audit = options.audit ?? ownAudit
  const gate = new Gate({ ...parts, catalog, seals, wire, audit, run, server })
  return { ...parts, catalog, seals, wire, gate, jobs, ownAudit }
}

/** Ends what killed hosts left behind, before anything new is started. */
function jobsOf({ home, jobs = true, clock }: HostOptions, logger: Logger): JobBook | undefined {
  if (home === undefined || !jobs) return undefined
  const options = { logger, ...(clock !== undefined && { clock }) }
  endOrphans(home, options)
  return new JobBook(home, options)
}

/** The files that no tool may touch: what configures the host, and all that it keeps. */
export function protectedPathsOf(
  config: Config,
  lock: LockFile,
  home: string | undefined,
): Promise<ProtectedPaths> {
  return ProtectedPaths.of({
    files: [
      ...config.files.map(({ path }) => path),
      ...(lock.path === undefined ? [] : [lock.path]),
    ],
    folders: home === undefined ? [] : [home],
  })
}

async function openLock(config: Config, { lock, home }: HostOptions): Promise<LockFile> {
  if (lock === false) return LockFile.inMemory()
  if (lock !== undefined) return lock
  return openLockOf(config, home)
}
