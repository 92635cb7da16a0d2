// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestUSDC} from "./TestUSDC.sol";

/// @title EURC with public minting
/// @notice For local chains only: anyone may mint.
/// @dev Circle issues both by the same contract. It signs under the name of USDC here: pay it by Permit2.
contract TestEURC is TestUSDC {
    function name() public pure override returns (string memory) {
        return "EURC";
    }

    function symbol() public pure override returns (string memory) {
        return "EURC";
    }
}
