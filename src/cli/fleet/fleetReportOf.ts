import type { FleetCommandName, FleetReport } from '../../report/fleet/fleetReport.ts';

/** How the answers of a command are reported; only its own code is loaded. */
export async function fleetReportOf(command: FleetCommandName): Promise<FleetReport> {
  switch (command) {
    case 'diff':
    case 'doctor':
      return (await import('../../report/fleet/findings/findingsReport.ts')).findingsReport(command);
    case 'migrate':
      return (await import('../../behaviour/migrate/fleet/migrateReport.ts')).migrateReport;
    case 'reach':
      return (await import('../../behaviour/reach/fleet/reachReport.ts')).reachReport;
  }
}
