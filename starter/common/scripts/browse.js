const https = require("https");
const users = dataTable.open("users.csv");

users.next().then(([user]) => {
  https.get(`${params["baseUrl"]}/products?user=${user.data.name}`, (response) => {
    response.resume();
    results().counter("products", 1);
  });
});
