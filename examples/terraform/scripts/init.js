log.info(`Load for ${params["baseUrl"]}`);
