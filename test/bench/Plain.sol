// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev OpenZeppelin's ERC-20 and nothing else.
contract Plain is ERC20("Plain", "P") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
