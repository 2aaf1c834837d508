import type { FleetReport } from '../../../report/fleet/fleetReport.ts';
export const reachReport = undefined as unknown as FleetReport;
