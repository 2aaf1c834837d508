import type { FleetReport } from '../../../report/fleet/fleetReport.ts';
import { sharedParts } from '../../../report/fleet/sharedParts.ts';
import { migrationMarkdown } from '../migrationMarkdown.ts';
import { migrationText } from '../migrationText.ts';
import { migrateBlocks } from './migrateBlocks.ts';
import { briefMigration, type MigratedNode } from './migratedNode.ts';
import { type MigrateSummary, summarizeMigrations } from './summarizeMigrations.ts';

/** Reports of `migrate` about many nodes. */
export const migrateReport: FleetReport<MigratedNode, MigrateSummary> = {
  unjudged: (verdict) => ({ ...verdict, migration: undefined }),
  keeping: () => {
    const share = sharedParts();
    return {
      keep: ({ migration, ...answer }) => ({
        ...answer,
        migration: migration && {
          ...migration,
          changes: migration.changes.map((change) => ({ ...change, services: share(change.services) })),
          needs: share(migration.needs),
          steps: share(migration.steps),
          back: share(migration.back),
        },
      }),
    };
  },
  summarize: summarizeMigrations,
  render: (form, summary, answers) => {
    const blocks = migrateBlocks(summary, answers);
    return [form === 'markdown' ? migrationMarkdown(blocks) : migrationText(blocks)];
  },
  read: (verdict, report, { groups }) => {
    const migration = Array.isArray(groups) ? briefMigration(report) : undefined;
    return migration && { ...verdict, migration };
  },
};
