import type { Server } from "@grpc/grpc-js";
import { type HealthServer, HealthService } from "../../../gen/health.js";
import {
  type GRPCBrokerServer,
  GRPCBrokerService,
  type GRPCControllerServer,
  GRPCControllerService,
  type GRPCStdioServer,
  GRPCStdioService,
} from "../../../gen/plugin.js";

/** HealthCheckResponse.ServingStatus. */
const serving = 1;

const health: HealthServer = { check: (_, callback) => callback(null, { status: serving }) };

// The streams remain open without a word; Terraform's exit resets them.
const stdio: GRPCStdioServer = { streamStdio: (call) => void call.on("error", () => {}) };
const broker: GRPCBrokerServer = {
  startStream: (call) => {
    call.on("error", () => {});
    call.on("end", () => call.end());
    call.resume();
  },
};

/** The services that Terraform's plugin library expects of every plugin; `shutdown` is called once its answer is on its way. */
export function addPluginServices(server: Server, shutdown: () => void): void {
  const controller: GRPCControllerServer = {
    shutdown: (_, callback) => {
      callback(null, {});
      setImmediate(() => setImmediate(shutdown));
    },
  };
  server.addService(HealthService, health);
  server.addService(GRPCControllerService, controller);
  server.addService(GRPCStdioService, stdio);
  server.addService(GRPCBrokerService, broker);
}
